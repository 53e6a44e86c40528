"""What goes on beside the requests: deliveries, and the housekeeping of what they leave behind."""
