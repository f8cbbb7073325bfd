/** Reads, from the cache and from the store. */
@NullMarked
package io.lambdafs.functions.namenode.read;

import org.jspecify.annotations.NullMarked;
