/** Hadoop's terms for what λFS answers: statuses, block locations, checksums, ACLs, extended attributes, storage policies and exceptions. */
@NullMarked
package io.lambdafs.hadoop.convert;

import org.jspecify.annotations.NullMarked;
