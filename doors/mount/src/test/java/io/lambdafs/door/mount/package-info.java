/** Tests of the mount. */
package io.lambdafs.door.mount;
