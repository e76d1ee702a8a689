" Vim syntax file: certificates of rmlcut

if exists("b:current_syntax")
  finish
endif

syntax keyword rmlcertKeyword action after axiom by case certificate close constant cut define do else
syntax keyword rmlcertKeyword exists false for forall function gamma history if immutable init
syntax keyword rmlcertKeyword invariant lemma lockstep mutable none only otherwise params rank reach
syntax keyword rmlcertKeyword relation relax require rigid rmlcut safety select sha256 sim sort start
syntax keyword rmlcertKeyword stutter then true try type variable violators when with
syntax match rmlcertKeyword "[∀∃]"
syntax keyword rmlcertType int bool
syntax match rmlcertVariable "\<[A-Z][A-Za-z0-9_]*'*"
syntax match rmlcertLabel "\[[A-Za-z][A-Za-z0-9_]*'*\]"
syntax match rmlcertOperator "<->\|->\|=>\|:=\|<-\|!=\|\~=\|<=\|>=\|[&|~!=<>+*¬∧∨-]"
syntax match rmlcertNumber "\<\d\+\>"
syntax match rmlcertComment "#.*$"

highlight default link rmlcertKeyword Keyword
highlight default link rmlcertNumber Number
highlight default link rmlcertComment Comment
highlight default link rmlcertType Type
highlight default link rmlcertVariable Identifier
highlight default link rmlcertLabel Label
highlight default link rmlcertOperator Operator

let b:current_syntax = "rmlcert"
