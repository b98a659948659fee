import { html, layout } from './layout.ts';

/** The emulator's own redirect address: shows what an application receives there, and the next request (clauses 2.2 and 4.2). */
export function callbackPage(
  authUrl: string,
  clientId: string,
  redirectUri: string,
  query: URLSearchParams,
  authorizeUrl: string,
): string {
  const code = query.get('code');
  return layout({
    title: code === null ? 'No code' : 'The code',
    width: 'medium',
    main: html`<h1>${code === null ? 'No code arrived' : 'The application receives this code'}</h1>
<p>This page stands at the application’s redirect address. Your own application has an address of its own there.</p>
<div class="card"><dl>${[...query].map(([name, value]) => html`<div><dt>${name}</dt><dd><code class="value">${value}</code></dd></div>`)}</dl></div>
${code === null && html`<p><a class="button" href="${authorizeUrl}">Authorize again</a> <a class="button quiet" href="/">What runs here</a></p>`}
${
  code !== null &&
  html`<h2>Next: exchange it, once</h2>
<pre class="card" tabindex="0">curl ${authUrl}/oauth/token \\
  -d grant_type=authorization_code \\
  -d client_id=${clientId} \\
  --data-urlencode "client_secret=$LEGACY_CLIENT_SECRET" \\
  --data-urlencode code=${code} \\
  --data-urlencode redirect_uri=${redirectUri}</pre>
<p class="small muted">The program that started the emulator has printed LEGACY_CLIENT_SECRET.</p>`
}`,
  });
}
