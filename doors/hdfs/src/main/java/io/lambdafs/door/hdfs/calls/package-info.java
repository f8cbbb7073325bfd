/**
 * The answers to HDFS's ClientProtocol by the client library, whichever wire a call came by: names and attributes,
 * listings, contents, state, the users that calls are made for, and the files that are being written.
 */
@NullMarked
package io.lambdafs.door.hdfs.calls;

import org.jspecify.annotations.NullMarked;
