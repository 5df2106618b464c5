-- A trace that is read whole opens every file of its attributes, and 32 buckets of rare keys were a third of them. With 16 it
-- takes a fifth less, and so do merges; looking for one key of a thousand takes a twelfth more (docs/optimisations.md).
-- Parts that are there already change when they are merged.
ALTER TABLE spans MODIFY SETTING object_shared_data_buckets_for_wide_part = 16;
ALTER TABLE log_records MODIFY SETTING object_shared_data_buckets_for_wide_part = 16;
