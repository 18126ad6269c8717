/** A page says this to the service worker of a new build that waits. */
export const ACTIVATE = 'activate'
