/**
 * The calls of the kernel, each answered by operations of the client library.
 */
@NullMarked
package io.lambdafs.door.mount.calls;

import org.jspecify.annotations.NullMarked;
