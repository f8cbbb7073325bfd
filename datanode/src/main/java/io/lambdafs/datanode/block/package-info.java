/** The requirements for a block store, and the form of a block as one object: its bytes, then its seal. */
@NullMarked
package io.lambdafs.datanode.block;

import org.jspecify.annotations.NullMarked;
