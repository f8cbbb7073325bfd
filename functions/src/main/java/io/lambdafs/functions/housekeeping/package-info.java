/** Chores that no request waits for: reclaiming detached trees, in batches that any crash may interrupt. */
@NullMarked
package io.lambdafs.functions.housekeeping;

import org.jspecify.annotations.NullMarked;
