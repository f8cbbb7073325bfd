/**
 * The opened {@code /dev/fuse}: requests in, answers out, on a bounded number of threads.
 */
@NullMarked
package io.lambdafs.door.mount.device;

import org.jspecify.annotations.NullMarked;
