/**
 * A mount, or two of one cluster, used by unchanged programs: the shell, tar, git. Mounting needs Linux with FUSE, and root; elsewhere
 * these tests are skipped, by name.
 */
@NullMarked
package io.lambdafs.systemtests.mount;

import org.jspecify.annotations.NullMarked;
