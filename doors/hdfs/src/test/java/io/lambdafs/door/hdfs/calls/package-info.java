/** Tests of the package. */
package io.lambdafs.door.hdfs.calls;
