import type { ServiceAnswer } from '../answer.ts';
import { landingPage } from '../pages/landing.ts';
import { placesOf } from '../policy/token.ts';
import type { HttpRequest } from '../request.ts';
import { authorizeUrlOf, type Service } from '../service.ts';
import { lifetimeOf } from '../situations/lifetime.ts';
import { errorAnswer, pageAnswer } from './pages.ts';

export function landing(_http: HttpRequest, service: Service): ServiceAnswer {
  const { profile, addresses, seed, store } = service;
  const applications = [...store.applications.values()];
  const [place] = placesOf(profile.answers);
  const lifetime = lifetimeOf(service);
  const html = landingPage({
    ...addresses,
    profile: { id: profile.name, title: profile.title, summary: profile.summary },
    defects: service.defects,
    expiresIn: lifetime.documented ? undefined : lifetime.expiresIn,
    autoConsent: service.autoConsent?.owner.email,
    applications,
    owners: seed.owners,
    projects: seed.projects,
    authorizeUrl: authorizeUrlOf(service),
    tokenParameter:
      place === 'query-access-token'
        ? 'access_token'
        : place === 'query-bearer-token'
          ? 'bearer_token'
          : undefined,
  });
  return pageAnswer(service, 200, html);
}

export function pageNotFound(_http: HttpRequest, service: Service): ServiceAnswer {
  return errorAnswer(service, 404, 'No such page', 'The authorization server has nothing at this address.');
}
