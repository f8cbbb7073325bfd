/** Renames: what they lock, decide and write. */
@NullMarked
package io.lambdafs.functions.namenode.rename;

import org.jspecify.annotations.NullMarked;
