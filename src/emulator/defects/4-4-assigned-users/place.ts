export function placeOf(project: { readonly id: string }, user: { readonly id: string }): string {
  return `${project.id} ${user.id}`;
}
