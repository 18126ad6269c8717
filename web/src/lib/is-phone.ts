/** Whether people use this device with their fingers, where apps open each other by links and a QR code is of no use. */
export const isPhone = (): boolean => window.matchMedia('(pointer: coarse)').matches
