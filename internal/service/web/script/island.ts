// What a page can do beyond showing itself. Everything here is added to pages that work
// without it; a part that finds nothing to do does nothing.
import { oneBox } from './island/box';
import { liveChecks } from './island/checking';
import { copyButtons } from './island/copy';
import { dropFiles, liveProgress } from './island/network';
import { arrowKeys } from './island/squares';
import { suggestions } from './island/suggest';
import { liveTables } from './island/table';
import { countdowns } from './island/wait';

oneBox();
suggestions();
arrowKeys();
copyButtons();
liveTables();
liveProgress();
dropFiles();
countdowns();
liveChecks();
