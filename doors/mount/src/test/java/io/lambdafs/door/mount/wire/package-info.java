/** Tests of the package. */
package io.lambdafs.door.mount.wire;
