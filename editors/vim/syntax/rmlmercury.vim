" Vim syntax file: Mercury, the language of QuickSilver

if exists("b:current_syntax")
  finish
endif

syntax keyword rmlmercuryKeyword actions br broadcast crash do else env environment goto idSet if in
syntax keyword rmlmercuryKeyword initial int liveness location lose machine on passive process recv rend
syntax keyword rmlmercuryKeyword reply rz safety satisfies sendbr sendrz set variables where win
syntax keyword rmlmercurySpecial Partition PartitionCons Consensus ValueCons atmost agree locations self unit
syntax match rmlmercuryNumber "\<\d\+\>"
syntax match rmlmercuryComment "//.*$"

highlight default link rmlmercuryKeyword Keyword
highlight default link rmlmercuryNumber Number
highlight default link rmlmercuryComment Comment
highlight default link rmlmercurySpecial Special

let b:current_syntax = "rmlmercury"
