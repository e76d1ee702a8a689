;;; rmlcut-mode.el --- Protocols in RML and their certificates  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Version: 0.1.0
;; Keywords: languages

;;; Commentary:

;; Colours for protocols (.rml), certificates (.cut) and Mercury (.mer, .ch), and the language
;; server `rmlcut lsp' through eglot: it starts with the first file.  Emacs 29 comes with eglot;
;; for Emacs 28, install the package (Debian: elpa-eglot).
;; Emacs shows no lenses; `M-x eglot-code-actions' offers to explore, prove and check instead.

;;; Code:

(defgroup rmlcut nil
  "Protocols in RML and their certificates."
  :group 'languages)

(defcustom rmlcut-program "rmlcut"
  "The program that serves the files: a path, or a name that is looked up in PATH."
  :type 'string)

(defconst rmlcut-rml-keywords
  '("action" "all" "axiom" "bag" "by" "constant" "crash" "define" "duplicating" "else"
    "exists" "false" "fifo" "forall" "from" "function" "goto" "if" "immutable" "in" "init"
    "lemma" "lossy" "machine" "message" "mutable" "network" "of" "on" "order" "others"
    "pair" "per" "quorums" "reach" "receiver" "relation" "require" "restart" "rigid" "ring"
    "safety" "send" "sender" "set" "sort" "states" "successor" "to" "tree" "true" "type"
    "variable")
  "The words of RML.")

(defconst rmlcut-certificate-keywords
  '("action" "after" "axiom" "by" "case" "certificate" "close" "constant" "cut" "define"
    "do" "else" "exists" "false" "for" "forall" "function" "gamma" "history" "if"
    "immutable" "init" "invariant" "lemma" "lockstep" "mutable" "none" "only" "otherwise"
    "params" "rank" "reach" "relation" "relax" "require" "rigid" "rmlcut" "safety" "select"
    "sha256" "sim" "sort" "start" "stutter" "then" "true" "try" "type" "variable"
    "violators" "when" "with")
  "The words of certificates.")

(defconst rmlcut-mercury-keywords
  '("actions" "br" "broadcast" "crash" "do" "else" "env" "environment" "goto" "idSet" "if"
    "in" "initial" "int" "liveness" "location" "lose" "machine" "on" "passive" "process"
    "recv" "rend" "reply" "rz" "safety" "satisfies" "sendbr" "sendrz" "set" "variables"
    "where" "win")
  "The words of Mercury.")

(defun rmlcut--font-lock (keywords)
  "What is coloured in a text with KEYWORDS."
  `((,(regexp-opt keywords 'symbols) . font-lock-keyword-face)
    ("[∀∃]" . font-lock-keyword-face)
    (,(regexp-opt '("int" "bool") 'symbols) . font-lock-type-face)
    ("\\[\\([A-Za-z][A-Za-z0-9_]*'*\\)\\]" 1 font-lock-constant-face)
    ("\\_<[A-Z][A-Za-z0-9_]*'*" . font-lock-variable-name-face)
    ("\\_<action\\_> +\\([a-z][A-Za-z0-9_]*\\)" 1 font-lock-function-name-face)))

(defvar rmlcut-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?' "_" table)
    table)
  "Comments run from `#' to the end of the line.")

(defvar rmlcut-mercury-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "Comments run from `//' to the end of the line.")

;;;###autoload
(define-derived-mode rmlcut-mode prog-mode "RML"
  "Major mode for protocols in RML."
  (setq-local comment-start "# ")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'indent-relative)
  (setq-local font-lock-defaults (list (rmlcut--font-lock rmlcut-rml-keywords))))

;;;###autoload
(define-derived-mode rmlcut-certificate-mode rmlcut-mode "RML-Certificate"
  "Major mode for certificates of protocols."
  :syntax-table rmlcut-mode-syntax-table
  (setq-local font-lock-defaults (list (rmlcut--font-lock rmlcut-certificate-keywords))))

;;;###autoload
(define-derived-mode rmlcut-mercury-mode prog-mode "Mercury-QS"
  "Major mode for Mercury, the language of QuickSilver."
  (setq-local comment-start "// ")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'indent-relative)
  (setq-local font-lock-defaults (list (rmlcut--font-lock rmlcut-mercury-keywords))))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.rml\\'" . rmlcut-mode))
  (add-to-list 'auto-mode-alist '("\\.cut\\'" . rmlcut-certificate-mode))
  (add-to-list 'auto-mode-alist '("\\.\\(mer\\|ch\\)\\'" . rmlcut-mercury-mode)))

(defvar eglot-server-programs)
(declare-function eglot-ensure "eglot")

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `((rmlcut-mode rmlcut-certificate-mode rmlcut-mercury-mode)
                 . ,(lambda (&rest _) (list rmlcut-program "lsp")))))

(defun rmlcut--serve ()
  "Start the language server, if this Emacs has eglot and the program is there."
  (when (and (fboundp 'eglot-ensure) (executable-find rmlcut-program))
    (eglot-ensure)))

(add-hook 'rmlcut-mode-hook #'rmlcut--serve)
(add-hook 'rmlcut-mercury-mode-hook #'rmlcut--serve)

(provide 'rmlcut-mode)

;;; rmlcut-mode.el ends here
