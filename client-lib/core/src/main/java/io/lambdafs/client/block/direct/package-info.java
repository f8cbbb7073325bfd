/** Blocks that clients write and read in an object store themselves, by URLs that instances have signed. */
@NullMarked
package io.lambdafs.client.block.direct;

import org.jspecify.annotations.NullMarked;
