/** Tests of the door. */
package io.lambdafs.door.hdfs;
