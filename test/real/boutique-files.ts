/** Six minutes of Online Boutique, in the order of time. */
export const boutiqueFiles = ['12_18', '12_28', '12_45', '12_47', '12_53', '12_55'].map(
  (minute) => `onlineboutique/${minute}_trace.csv.gz`,
)
