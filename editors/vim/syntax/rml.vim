" Vim syntax file: protocols in RML

if exists("b:current_syntax")
  finish
endif

syntax keyword rmlKeyword action axiom by constant define else exists false forall function if
syntax keyword rmlKeyword immutable init lemma mutable of on order quorums reach relation require
syntax keyword rmlKeyword rigid ring safety sort successor tree true type variable
syntax match rmlKeyword "[∀∃]"
syntax keyword rmlType int bool
syntax match rmlVariable "\<[A-Z][A-Za-z0-9_]*'*"
syntax match rmlLabel "\[[A-Za-z][A-Za-z0-9_]*'*\]"
syntax match rmlOperator "<->\|->\|=>\|:=\|<-\|!=\|\~=\|<=\|>=\|[&|~!=<>+*¬∧∨-]"
syntax match rmlNumber "\<\d\+\>"
syntax match rmlComment "#.*$"

highlight default link rmlKeyword Keyword
highlight default link rmlNumber Number
highlight default link rmlComment Comment
highlight default link rmlType Type
highlight default link rmlVariable Identifier
highlight default link rmlLabel Label
highlight default link rmlOperator Operator

let b:current_syntax = "rml"
