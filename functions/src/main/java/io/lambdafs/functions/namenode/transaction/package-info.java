/** A call's transaction: the rows it locks, the path it resolves, and how it ends. */
@NullMarked
package io.lambdafs.functions.namenode.transaction;

import org.jspecify.annotations.NullMarked;
