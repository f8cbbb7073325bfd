/**
 * A mount: a directory of this machine that shows the file system, by the kernel's FUSE protocol in front of the client
 * library. There is no native library: the process inherits the opened {@code /dev/fuse}, reads requests from it and
 * writes answers to it.
 */
@NullMarked
package io.lambdafs.door.mount;

import org.jspecify.annotations.NullMarked;
