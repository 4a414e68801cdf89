// Writes the speedups that a lab requires.
#include "lab/threshold.h"

#include "base/message.h"
#include "base/text.h"
#include "report/report.h"

void report_threshold(const struct lab_threshold *t, struct text *out)
{
    if (t->minimum > 0)
        text_say(out, "to pass %.2f ×, full marks %.2f ×", t->minimum, t->full);
    else
        text_say(out, "no minimum on this device, where the lesson's own kernel reaches %.2f ×; full marks %.2f ×",
                 t->lesson, t->full);
}
