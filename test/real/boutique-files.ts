/** Six minutes of Online Boutique, in chronological order. */
export const boutiqueFiles = ['12_18', '12_28', '12_45', '12_47', '12_53', '12_55'].map(
  (minute) => `onlineboutique/${minute}_trace.csv.gz`,
)
