/** Rooms in miniature whose classes break the rules on purpose; the tests of the rules expect each to be found. */
@NullMarked
package io.lambdafs.systemtests.violations;

import org.jspecify.annotations.NullMarked;
