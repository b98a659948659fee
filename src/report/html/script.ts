/**
 * The page's script: filter, search, and opening linked rows. Reading needs none of it. A plain string,
 * because the page's policy contains the digest of exactly this text.
 */
export const SCRIPT = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const rows = all('details.r');
  const buttons = all('[data-filter]');
  const tools = document.querySelector('.tools');
  const search = document.getElementById('q');
  const clauses = document.getElementById('clause');
  if (tools) tools.hidden = false;

  // The search includes the evidence. A row's text is read once, at the first search.
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };

  const filter = () => {
    const kinds = buttons.filter((b) => b.ariaPressed === 'true').map((b) => b.dataset.filter);
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = (kinds.length === 0 || kinds.includes(row.dataset.result))
        && (clauses.value === '' || row.parentElement.id === 'clause-' + clauses.value)
        && (words.length === 0 || words.every((word) => textOf(row).includes(word)));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const clause of all('.clause')) clause.hidden = !clause.querySelector('details.r:not([hidden])');
    document.getElementById('shown').textContent = shown + (shown === rows.length ? ' shown' : ' of ' + rows.length + ' shown');
    document.getElementById('none').hidden = shown > 0;
  };
  let pending = 0;
  if (tools) search.addEventListener('input', () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(filter);
  });
  if (tools) clauses.addEventListener('change', filter);
  for (const button of buttons) button.addEventListener('click', () => {
    button.ariaPressed = String(button.ariaPressed !== 'true');
    filter();
  });
  addEventListener('keydown', (event) => {
    if (!tools || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === search) return;
    event.preventDefault();
    search.focus();
  });

  // A link to a row that the filter hides must still work.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const row = target && target.closest('details.r');
    if (!row) return;
    if (row.hidden) {
      search.value = '';
      clauses.value = '';
      for (const button of buttons) button.ariaPressed = 'false';
      filter();
    }
    row.open = true;
    row.scrollIntoView({ block: 'start' });
  };
  addEventListener('hashchange', reveal);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (link && link.hash === location.hash) setTimeout(reveal);
  });
  if (location.hash) reveal();
})();
`;
