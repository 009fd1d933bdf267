" Colours for games as text in Vim: copy this file to ~/.vim/syntax/game.vim, and write into ~/.vimrc
" autocmd BufRead,BufNewFile *.game setfiletype game
" The words are those of crates/script/src/reference.rs.
syntax match gameNumber /\<\d\+\>/
syntax keyword gameStatement let roll draw ask if repeat for break again do bust end count
syntax keyword gameStatement else while where from of by all
syntax keyword gameFunction min max sum count any all those size highest lowest alike distinct run worth dice number place nth abs power chance mean everyone others parts pairings
syntax keyword gameGiven yes no none me it round
syntax keyword gameOperator or and not in
syntax match gameDeclaration /^\(game\|option\|preset\|names\|die\|bag\|worth\|define\|shared\|player\|setup\|turn\|round\|steps\|end\|win\|alone\|tie\|candidate\|see\|report\|expect\)\>/
syntax region gameMeaning start=/"/ end=/"/ oneline
syntax match gameComment /#.*/
highlight default link gameNumber Number
highlight default link gameStatement Statement
highlight default link gameFunction Function
highlight default link gameGiven Constant
highlight default link gameOperator Operator
highlight default link gameDeclaration Structure
highlight default link gameMeaning String
highlight default link gameComment Comment
