/** Pages of directories: what fits on one, and reads of one that many callers share. */
@NullMarked
package io.lambdafs.functions.listing;

import org.jspecify.annotations.NullMarked;
