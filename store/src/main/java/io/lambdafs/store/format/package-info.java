/** The format of a store: its level, its upgrade, and the check of its rows. */
@NullMarked
package io.lambdafs.store.format;

import org.jspecify.annotations.NullMarked;
