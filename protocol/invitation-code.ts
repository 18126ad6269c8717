/** The form of an invitation code once it is in capitals: nothing else can ever have been given out. */
export const invitationCodePattern = /^[A-Z0-9]{0,16}$/
