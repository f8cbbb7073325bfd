/** A block store in memory. */
@NullMarked
package io.lambdafs.datanode.memory;

import org.jspecify.annotations.NullMarked;
