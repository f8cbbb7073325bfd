/**
 * The kernel's FUSE protocol: requests, answers and error numbers, as bytes in this machine's order.
 */
@NullMarked
package io.lambdafs.door.mount.wire;

import org.jspecify.annotations.NullMarked;
