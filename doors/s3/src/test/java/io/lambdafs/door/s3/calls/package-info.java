/** Tests of places. */
package io.lambdafs.door.s3.calls;
