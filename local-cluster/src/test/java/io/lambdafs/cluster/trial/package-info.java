/** Files written while the processes that store them are killed: what is complete reads back, and what is not never shows as complete. */
@NullMarked
package io.lambdafs.cluster.trial;

import org.jspecify.annotations.NullMarked;
