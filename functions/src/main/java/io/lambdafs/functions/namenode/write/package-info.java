/** Writes, one class each: what it locks, checks and changes. */
@NullMarked
package io.lambdafs.functions.namenode.write;

import org.jspecify.annotations.NullMarked;
