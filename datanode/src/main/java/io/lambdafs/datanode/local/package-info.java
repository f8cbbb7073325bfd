/** A block store in a directory. */
@NullMarked
package io.lambdafs.datanode.local;

import org.jspecify.annotations.NullMarked;
