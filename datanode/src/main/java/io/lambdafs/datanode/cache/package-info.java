/** Copies of objects of a remote block store, on a datanode's own disk. */
@NullMarked
package io.lambdafs.datanode.cache;

import org.jspecify.annotations.NullMarked;
