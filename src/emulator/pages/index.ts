/**
 * The emulator's pages: pure functions from what is to be shown to a whole HTML document. They expect these routes:
 * POST `/sign-in`, POST `/sign-out` (fields `csrf`, and `return_to` where given), POST `/oauth/authorize`,
 * GET and POST `/access-keys/applications`, GET `/access-keys/applications/new`, GET and POST
 * `/access-keys/applications/:clientId`, GET `/`; and the header of {@link contentSecurityPolicy}.
 */
export { type ApplicationCreatedPageProps, applicationCreatedPage } from './application-created.ts';
export type { ApplicationFormValues } from './application-fields.ts';
export { type ApplicationsPageProps, applicationsPage, type ListedApplication } from './applications.ts';
export { type ConsentPageProps, consentPage } from './consent.ts';
export { contentSecurityPolicy } from './content-security-policy.ts';
export { type EditApplicationPageProps, editApplicationPage } from './edit-application.ts';
export { type ErrorPageProps, errorPage } from './error.ts';
export type { FieldError } from './field.ts';
export { type LandingPageProps, landingPage } from './landing.ts';
export { type NewApplicationPageProps, newApplicationPage } from './new-application.ts';
export { type SignInPageProps, signInPage } from './sign-in.ts';
export { signedOutPage } from './signed-out.ts';
