;; Prints what Emacs finds after M-x compile, with Emacs's own settings: emacs -Q --batch -l emacs.el COMMAND… prints a
;; line "COMMAND FILE:LINE:SEVERITY: MESSAGE" for each message.
(require 'compile)
(setq compilation-always-kill t)
(defun print-message (command at message)
  (goto-char at)
  (let ((loc (compilation--message->loc message)))
    (princ (format "%s %s:%s:%s: %s\n" command (caar (compilation--loc->file-struct loc)) (compilation--loc->line loc)
                   (aref ["note" "warning" "error"] (compilation--message->type message))
                   (replace-regexp-in-string "\\`[^ ]+ \\(fatal \\)?\\(\\(error\\|warning\\|note\\): \\)?" ""
                                             (buffer-substring-no-properties at (line-end-position)))))))
(defun list-messages (command)
  (with-current-buffer (compile command)
    (while (get-buffer-process (current-buffer)) (accept-process-output nil 0.1))
    (compilation--ensure-parse (point-max))
    (let ((at (point-min)) last)
      (while at
        (let ((message (get-text-property at 'compilation-message)))
          (when (and message (not (eq message last))) (print-message command at message))
          (setq last message at (next-single-property-change at 'compilation-message)))))))
(mapc #'list-messages command-line-args-left)
(setq command-line-args-left nil)
