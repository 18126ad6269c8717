/** The invitation code that brings in the first people. */
export const rootInvitation = 'CANDELA1'
