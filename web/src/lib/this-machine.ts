/** Whether a host is the machine that the page runs on: nobody else can answer there. @param host as `URL.hostname` has it */
export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)
