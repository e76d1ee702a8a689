" Vim syntax file: protocols in RML

if exists("b:current_syntax")
  finish
endif

syntax keyword rmlKeyword action all axiom bag by constant crash define duplicating else exists
syntax keyword rmlKeyword false fifo forall from function goto if immutable in init lemma lossy
syntax keyword rmlKeyword machine message mutable network of on order others pair per quorums
syntax keyword rmlKeyword reach receiver relation require restart rigid ring safety send sender
syntax keyword rmlKeyword set sort states successor to tree true type variable
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
