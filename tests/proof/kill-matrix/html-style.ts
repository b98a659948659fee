/** The page's style. Whatever a colour says, a sign says too. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#fbfbfa,#15171a);--card:light-dark(#fff,#1b1e22);--ink:light-dark(#1c1f24,#e6e7e9);
--soft:light-dark(#5c636d,#9aa1ab);--line:light-dark(#e2e4e7,#2e333a);--group:light-dark(#c3c8ce,#4a515b);
--hover:light-dark(#eef2f8,#262c35);
--killed:light-dark(#2b7d53,#58b585);--bad:light-dark(#b8281f,#f0736a);--blocked:light-dark(#8a5a3c,#cf9a78);
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,section.text{max-width:72rem;padding:0 1.5rem;margin:0}
h1{font-size:2rem;font-weight:650;letter-spacing:-.02em;line-height:1.15;margin:2rem 0 .4rem}
h2{font-size:1.15rem;font-weight:600;margin:2.5rem 0 .6rem}
h3{font-size:1rem;font-weight:600;margin:1.8rem 0 .2rem}
p{margin:.3rem 0;max-width:75ch}.soft{color:var(--soft)}
code,.id{font-family:var(--mono);font-size:.85em;overflow-wrap:anywhere}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;color:var(--soft);font-size:13px;margin:.8rem 0 1rem;padding:0;list-style:none}
.legend b{display:inline-grid;place-items:center;width:16px;height:16px;margin-right:.35rem;font:700 11px/1 var(--mono);vertical-align:-2px}
.legend li:last-child b{border:1px solid var(--line)}
.wrap{overflow:auto;height:min(88vh,70rem);border-block:1px solid var(--group);background:var(--card)}
table.m{border-collapse:separate;border-spacing:0;font-size:12px;line-height:1}
.m th,.m td{border-right:1px solid var(--line);border-bottom:1px solid var(--line)}
.m td,.m thead th{width:17px;min-width:17px;max-width:17px}
.m td{height:17px;padding:0;text-align:center;font:700 11px/17px var(--mono);cursor:default}
.m .end{border-right-color:var(--group)}
.m thead th{position:sticky;background:var(--card);z-index:2;font-weight:400;padding:0}
.m tr.c th{top:0;height:24px;max-width:none;text-align:left;padding:0 3px;color:var(--soft);white-space:nowrap;overflow:hidden}
.m tr.q th{top:24px;height:296px;vertical-align:bottom}
.m tr.q th span{display:inline-block;writing-mode:vertical-rl;transform:rotate(180deg);height:292px;text-align:left;padding:5px 1px 4px 3px;overflow:hidden;font-family:var(--mono);font-size:11px;line-height:13px;white-space:nowrap}
.m tr.n th{top:320px;height:18px;color:var(--soft);font-size:10px;border-bottom-color:var(--group);font-variant-numeric:tabular-nums}
.m th.corner{left:0;z-index:4!important;width:18.5rem!important;min-width:18.5rem!important;max-width:18.5rem!important;text-align:right!important;padding:0 .5rem!important;color:var(--soft)}
.m tbody th{position:sticky;left:0;z-index:1;background:var(--card);font-weight:400;text-align:left;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;width:18.5rem;min-width:18.5rem;max-width:18.5rem;padding:0 .5rem;height:17px}
.m tbody th a{color:inherit;text-decoration:none;font-family:var(--mono);font-size:11px}.m tbody th a:hover{text-decoration:underline}
.m tbody tr.g th,.m tbody tr.g td{background:var(--bg);border-bottom-color:var(--group);border-right:0;height:26px;font-weight:600;font-size:12.5px}
.m tr.bad th a{color:var(--bad);font-weight:700}
.m tbody tr:hover th,.m tbody tr:hover td:not(.k,.x,.e){background:var(--hover)}
.m th.on{background:var(--hover)!important}.m th.on span{font-weight:700}
.k{background:var(--killed);color:var(--bg)}.b{color:var(--blocked)}.x,.e{background:var(--bad);color:var(--bg)}
.s::before{content:"\\25CF"}.k.s::before,.legend .k.s::before{content:"\\25CF"}.k.w::before{content:"\\25CB"}.b::before{content:"\\2571"}.x::before{content:"\\00D7"}.e::before{content:"!"}
#at{position:sticky;bottom:0;z-index:5;min-height:2.1rem;margin:0;max-width:none;padding:.35rem 1.5rem;background:var(--bg);border-bottom:1px solid var(--line);font-size:13px}
dl.d{margin:.6rem 0 0}.d dt{margin-top:.8rem;scroll-margin-top:1rem}.d dd{margin:0 0 0 1.2rem}.d dd.p{color:var(--bad)}
.d dt .soft{font-size:13px}:target{background:var(--hover)}
`;

/** Says in the line under the table what is under the pointer, and marks its column. The page can be read without. */
export const SCRIPT = `
const table=document.querySelector('table.m'),line=document.getElementById('at');
const heads=[...table.querySelectorAll('tr.q th')];let on;
table.addEventListener('pointerover',(event)=>{
const cell=event.target.closest('tbody td');on?.classList.remove('on');
if(!cell||cell.parentElement.classList.contains('g')){line.textContent='';return}
on=heads[cell.cellIndex];on?.classList.add('on');
line.textContent=cell.parentElement.querySelector('th').textContent+' \\u00D7 '+(on?.textContent??'')+': '+(cell.title||'pass');
});
`;
