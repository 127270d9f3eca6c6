/** What is said about taking everything out, bringing it in, and erasing it. */

const megabytes = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3).toLocaleString()} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

export const dataTexts = {
  cancel: "Cancel",

  backupTitle: "Backup",
  backupNote: "An encrypted copy of everything. It opens with your passphrase, or your recovery key, as they are now.",
  backup: "Save a backup",
  backingUp: "Making the backup",
  backedUp: ({ name, bytes }) => `${name} is in your downloads (${megabytes(bytes)}).`,
  restore: "Restore a backup…",
  restoreTitle: "Restore a backup",
  restoreNote: "The backup is checked from beginning to end first. Then it takes the place of the vault as it is now, and you unlock it.",
  restoreKept: "The vault as it is now is kept in the same folder, under another name.",
  restoreNew: "The backup is checked from beginning to end, and becomes the vault of this computer.",
  restoreFile: "Backup",
  restorePassphrase: "The passphrase of that backup, or its recovery key",
  restoreGo: "Check and restore",
  restoring: "Checking the backup…",

  exportTitle: "Export",
  exportNote: "Plain text, for other programs or for reading. JSON is complete and can be imported again; Markdown has a file for each conversation.",
  exportJson: "Export as JSON",
  exportMarkdown: "Export as Markdown",
  exportAsk: "Export everything as plain text?",
  exportText: "The file that you get is not encrypted. Whoever gets hold of it can read all that you wrote, and so can every program of this computer. For keeping, take a backup instead.",
  exportGo: "Export",

  importTitle: "Import",

  eraseTitle: "Erase",
  eraseNote: "For good: there is no undo. Take a backup first if in doubt.",
  eraseData: "Remove my data…",
  eraseDataTitle: "Remove my data?",
  eraseDataText: "All conversations, Spaces and memories, and everything learned from them, are deleted for good. Your settings, the passphrase and the recovery key stay. Backups and exports that you saved stay, too.",
  eraseAll: "Factory reset…",
  eraseAllTitle: "Erase everything?",
  eraseAllText: "The vault is deleted with all that is in it, the settings, and the copies kept beside it. Ricordo begins anew. Backups and exports that you saved elsewhere stay.",
  typeWord: (word) => `Type ${word} to confirm`,
  eraseDataGo: "Remove my data",
  eraseAllGo: "Erase everything",
  erasing: "Erasing…",
  erased: "Your data is removed.",
};
