/** The page's style, with light and dark colours. A shape or word repeats the meaning of every colour. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#fbfbfa,#15171a);--card:light-dark(#fff,#1b1e22);--ink:light-dark(#1c1f24,#e6e7e9);
--soft:light-dark(#5c636d,#9aa1ab);--line:light-dark(#e2e4e7,#2e333a);--code:light-dark(#f4f5f6,#121417);
--link:light-dark(#1a55a8,#8ab4f0);--mark:light-dark(#eae4f7,#352d4a);--mark-ink:light-dark(#4c3591,#cdbcf5);
--pass:light-dark(#2b7d53,#58b585);--fail:light-dark(#b8281f,#f0736a);--warn:light-dark(#9a6200,#e0a93f);
--known:light-dark(#6a4ba3,#b294ec);--na:light-dark(#858c95,#7d8590);--block:light-dark(#8a5a3c,#cf9a78);--notrun:light-dark(#36648f,#7fb0dd);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;overflow-wrap:anywhere;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,footer{max-width:72rem;margin:0 auto;padding:0 1.5rem}
footer{color:var(--soft);font-size:13px;padding-block:2rem 3rem}
.vh{position:absolute!important;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
h2{font-size:1.15rem;font-weight:600;margin:3.25rem 0 .9rem;letter-spacing:-.005em}
h3{font-size:1rem;font-weight:600;margin:2rem 0 .5rem}
h3 small{font-weight:400;font-size:13px;color:var(--soft);margin-left:.4rem}
.cap{font-size:12px;font-weight:600;color:var(--soft);margin:0 0 .3rem}.cap span{font-weight:400;margin-left:.3rem}
code,pre,.id{font-family:var(--mono);font-size:.875em;overflow-wrap:anywhere}
.no{color:var(--soft);font-variant-numeric:tabular-nums;font-weight:400;margin-right:.25rem}
.note{color:var(--soft);font-size:14px;margin:.25rem 0}
i{font-style:normal;background:var(--mark);color:var(--mark-ink);border-radius:3px;padding:0 .25em}
svg.g{width:1em;height:1em;flex:none;vertical-align:-.125em}
.g .cut,.cut{fill:none;stroke:var(--bg);stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}.cut.thin{stroke-width:1.3}
.line{fill:none;stroke:currentColor;stroke-width:1.5;stroke-linecap:round}
.g.pass{color:var(--pass)}.g.fail{color:var(--fail)}.g.warning{color:var(--warn)}.g.known-deviation{color:var(--known)}
.g.not-applicable,.g.not-exercised,.g.observed{color:var(--na)}.g.blocked{color:var(--block)}.g.not-run,.g.inconclusive{color:var(--notrun)}

.top{padding:2.5rem 0 0}
.eyebrow{color:var(--soft);margin:0 0 1.1rem}.eyebrow b{color:var(--ink);font-weight:600;overflow-wrap:anywhere}
h1{display:flex;align-items:center;gap:.7rem;font-size:clamp(2.1rem,6vw,3rem);font-weight:650;letter-spacing:-.025em;line-height:1.1;margin:0}
h1 svg.g{width:.82em;height:.82em}
.totals{font-size:1.15rem;margin:.9rem 0 0;max-width:72ch}
.because{margin:.8rem 0 0;padding-left:1.1rem;color:var(--soft);max-width:85ch;overflow-wrap:anywhere}

.look{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.look li{display:flex;gap:.75rem;padding:.65rem 0;border-bottom:1px solid var(--line)}
.look svg.g{margin-top:.28rem}.look div{min-width:0}
.look p{margin:.1rem 0 0;color:var(--soft);font-size:14px;white-space:pre-line;overflow-wrap:anywhere;max-width:90ch}
.look .id{font-size:12.5px}.look .grow{flex:1}.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:.4rem 1rem;margin:.4rem 0}.sides>div{min-width:0}
.look .ids{line-height:1.7}.look .ids .id{margin-right:.6rem}

.said{display:grid;grid-template-columns:8rem minmax(0,1fr);gap:.15rem .9rem;margin:.3rem 0 0;font-size:14px;line-height:1.5}.said>div{display:contents}
.said dt{font-size:inherit}.said dd{color:var(--soft);white-space:pre-line;max-width:80ch}.said>:last-child *{color:var(--ink)}.said>:last-child dt{font-weight:600}

.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;font-size:13px;color:var(--soft);margin:0 0 .9rem}
.legend>span{white-space:nowrap}
table{border-collapse:collapse;width:100%}
.matrix th{font-weight:400;text-align:left;width:20rem;padding:.4rem 1rem .4rem 0;vertical-align:top;line-height:1.4}
.matrix td{padding:.3rem 0}.matrix tr{border-top:1px solid var(--line)}.matrix tbody tr:last-child{border-bottom:1px solid var(--line)}
.matrix th>*{display:flex;gap:.3rem;color:inherit}.matrix .no,.unseen .no{flex:none;display:inline-block;min-width:1.7rem}.matrix td .note{font-size:13px;margin-left:5px}
.cells{display:flex;flex-wrap:wrap;list-style:none;margin:0;padding:0}
.cells a,.cells .off{display:grid;place-items:center;width:26px;height:26px;border-radius:5px}
.cells a:hover{background:var(--line)}.cells svg.g{width:16px;height:16px}
.off::before{content:"";display:inline-block;width:5px;height:5px;border-radius:50%;background:var(--line);vertical-align:middle}

.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:.9rem 2rem;margin:0}
dt{font-size:13px;color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}

.clause{scroll-margin-top:1rem}
.r{border-top:1px solid var(--line);scroll-margin-top:2rem}.clause>.r:last-child{border-bottom:1px solid var(--line)}
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
.r>summary{display:grid;grid-template-columns:1.1rem 17rem minmax(0,1fr) auto .7rem;gap:.2rem .8rem;align-items:baseline;padding:.42rem .3rem}
.r>summary svg.g{align-self:center}.r>summary:hover,.x>summary:hover{background:var(--card)}
.say code{font-size:.9em}.say{color:var(--soft);font-size:14px}
.r[open]>summary .say{visibility:hidden}.r[open]>summary .id{font-weight:600}
.lv{font-size:12.5px;color:var(--soft)}
.in{padding:.2rem 0 1.6rem 2.2rem;scroll-margin-top:4.2rem}
.statement{font-size:1.02rem;max-width:75ch;margin:.2rem 0 .9rem}
.why{border-left:3px solid var(--na);padding:.1rem 0 .1rem .9rem;margin:0 0 1rem}.why b{font-weight:600}
.why p{margin:.2rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere;max-width:90ch}
.why.fail{border-color:var(--fail)}.why.warning{border-color:var(--warn)}.why.known-deviation{border-color:var(--known)}.why.blocked{border-color:var(--block)}.why.not-run{border-color:var(--notrun)}
.meta{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:0 0 1rem;font-size:14px}
.seq{margin:0;padding:0;list-style:none;counter-reset:n;border:1px solid var(--line);border-radius:8px;background:var(--card);overflow:hidden}
.seq>li{counter-increment:n;position:relative;border-top:1px solid var(--line)}.seq>li:first-child{border-top:0}
.seq>li::before{content:counter(n);position:absolute;left:.8rem;top:.5rem;width:1.2rem;text-align:right;color:var(--soft);font-size:12.5px;font-variant-numeric:tabular-nums}
.r>summary::after,.x>summary::after{content:"";width:.4rem;height:.4rem;border:solid var(--na);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);align-self:center;justify-self:end;margin-right:.15rem}
.r[open]>summary::after,.x[open]>summary::after{transform:rotate(45deg)}
.x>summary,.step{display:grid;grid-template-columns:minmax(0,1.1fr) minmax(0,1.3fr) 6rem 4.8rem 4.2rem .7rem;gap:.1rem .8rem;align-items:baseline;padding:.4rem .9rem .4rem 2.7rem}
.x>summary .st,.step .st{grid-column:4;text-align:right;white-space:nowrap}.odd{grid-column:3;text-align:right;white-space:nowrap;font-size:12.5px;color:var(--warn)}
.t{grid-column:5;text-align:right;color:var(--soft);font-size:12.5px;font-variant-numeric:tabular-nums;white-space:nowrap}
.st{font-weight:600;font-variant-numeric:tabular-nums}
.step{color:var(--soft)}.step .what{grid-column:1}.step code{grid-column:2/4;grid-row:1}.step p{grid-column:1/-1;margin:0;font-size:14px;overflow-wrap:anywhere}
.x[open]>summary .what{font-weight:600}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem;padding:.3rem .9rem .9rem 2.7rem}.pair>div{min-width:0}
pre{margin:0;padding:.7rem .8rem;background:var(--code);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:12.5px;line-height:1.5;max-height:28rem;overflow:auto;tab-size:2}
pre b{font-weight:600}
.err{color:var(--fail);margin:.4rem 0 0;overflow-wrap:anywhere}
.shape{margin:0;padding:0 .9rem .6rem 2.7rem;font-size:13px;color:var(--soft);overflow-wrap:anywhere}ul.shape{padding-left:3.8rem}

.draw{margin:0 0 .8rem}.about{margin:1rem 0}.draw>summary,.about>summary{color:var(--link);font-size:14px}.about>summary::before{content:"▸ "}.about[open]>summary::before{content:"▾ "}
.point table{font-size:14px}.point th{font-weight:400;text-align:left;color:var(--soft);font-size:13px;padding:.3rem 1rem .3rem 0}
.point td{border-top:1px solid var(--line);padding:.35rem 1rem .35rem 0;vertical-align:top;overflow-wrap:anywhere}
.point th:nth-child(1),.point td:nth-child(1){width:26%}.point th:nth-child(3),.point td:nth-child(3){width:28%}
.left td:nth-child(1){width:20%}.left td:nth-child(3),.left th:nth-child(3){width:14%}
.unseen{list-style:none;margin:0;padding:0;color:var(--soft);font-size:14px}

@media screen and (max-width:720px){
.said{display:block}.said>div{display:block;margin-top:.35rem}
main,footer{padding-inline:1rem}.top{padding-top:1.5rem}h2{margin-top:2.5rem}
.matrix,.matrix tbody,.matrix tr,.matrix th,.matrix td{display:block;width:auto}.matrix th{padding:.6rem 0 0}.matrix td{padding:.1rem 0 .5rem;margin-left:-5px}
.cells a,.cells .off{width:30px;height:30px}
.facts{grid-template-columns:1fr;gap:.7rem}
.r>summary{grid-template-columns:1.1rem minmax(0,1fr) auto .7rem;padding-block:.6rem}.r>summary .say{display:none}
.in{padding-left:0}
.x>summary,.step{grid-template-columns:minmax(0,1fr) auto auto .7rem;padding-left:2.5rem}.x>summary code,.step code{grid-column:1/-1;grid-row:2}
.x>summary .st,.step .st{grid-column:2}.t{grid-column:3}.odd{grid-column:1/-1;text-align:left}.step .t{grid-column:3}
.pair{grid-template-columns:minmax(0,1fr);padding:.2rem .6rem .7rem}
.point table,.point tbody,.point tr,.point td{display:block;width:auto!important}.point thead{display:none}.point td{border:0;padding:.1rem 0}.point tr{display:block;border-top:1px solid var(--line);padding:.4rem 0}
}
@media print{
:root{color-scheme:light}body{font-size:9.5pt;background:#fff}main,footer{max-width:none;padding:0}
details::details-content{content-visibility:visible;display:block;block-size:auto}
.r>summary .say,summary::after{display:none!important}pre{max-height:none;overflow:visible;font-size:7.5pt;padding:.4rem .5rem}.in{padding-left:1rem}.r>summary{grid-template-columns:1.1rem minmax(0,1fr) auto}.x>summary,.r>summary,h2,h3{break-after:avoid}.look li,.matrix tr,.step{break-inside:avoid}
}
`;
