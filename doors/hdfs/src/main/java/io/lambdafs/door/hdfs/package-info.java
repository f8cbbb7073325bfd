/**
 * A door for HDFS's wire: ClientProtocol by Hadoop's RPC server, and the data transfer protocol, in front of the client
 * library. Stock Hadoop clients, and those of other languages, reach λFS as {@code hdfs://} without a jar of ours.
 */
@NullMarked
package io.lambdafs.door.hdfs;

import org.jspecify.annotations.NullMarked;
